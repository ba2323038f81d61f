/** Our own steps: some begin with an instruction, some don't. */
export const instructions = `
Open the main valve.
Close the valve slowly.
Do not restart the pump.
Never reach into the hopper.
Don't touch the blade.
Carefully lift the lid.
Immediately stop the line.
If the lamp is red, stop the conveyor.
When the display reads zero, press Start.
Once the form is signed, send it to the office.
After 10 minutes, check the temperature again.
Before you leave, lock the cabinet.
While the oven heats up, weigh the flour.
Until the technician arrives, keep the area clear.
Unless the manager agrees, reject the order.
For orders above 500 EUR, ask for a second signature.
In the menu, choose Export.
On the next page, enter your name.
At the end of the shift, clean the table.
To reset the alarm, hold the button for 3 seconds.
Using a clean cloth, wipe the lens.
Without touching the probe, remove the cap.
With both hands, hold the frame.
Under Settings, select Language.
From the list, pick the newest entry.
Then rinse the beaker.
Next, label the sample.
Finally, sign the record.
Now switch off the mains.
Please return the key.
(Optional) Print the label.
Optional: add a note for the night shift.
Record the result in the log.
Test the tester on a known source.
Report any damage to the supervisor.
Review the draft with the owner.
Schedule the next calibration.
Plan 90 minutes for the changeover.
Order spare parts.
Note the serial number.
Mark each carton with the date.
Check that the guard is closed.
Ensure all doors are shut.
Verify backups are complete.
Make sure the floor is dry.
Wait until the solution is clear.
Let the adhesive set for one hour.
Have the second person confirm the count.
Be ready to press the emergency stop.
Pipette 5 µL into each well.
Centrifuge the tubes for 5 minutes.
Vortex the sample briefly.
Sterilise the instruments at 121 °C.
Quantify the extract.
Back up the configuration.
Log in to the portal.
Sign out of the portal.
Turn the key to the left.
Double-check the label.
Re-enter the password.
Right-click the icon.
Pre-wet the tip.
Inform customers who are affected.
Email the certificate to the customer.
Ask whether the visitor is expected.
Decide whether the lot is released.
Refer to the drawing.
Repeat steps 4 to 11.
Skip this step when the tank is empty.
Sampling: take 5 units from each pallet.
Cell lysis: add 200 µL of buffer.
If yes, continue with step 7.
As soon as the alarm sounds, leave the room.
Depending on the size, use hook A or B.
`;

export const statements = `
The operator shall open the valve.
The operator opens the valve.
The technician must check the pressure.
You should now see the menu.
You will receive an e-mail.
You need to confirm the order.
You can skip this step.
You must wear gloves.
We recommend a second check.
It is important to close the lid.
There must be two people in the room.
All staff must sign the list.
Each employee should keep a copy.
Every visitor receives a badge.
Any deviation is to be reported.
Your supervisor approves the request.
Their manager will decide.
This opens a new window.
These forms are kept for 3 years.
Someone from the laboratory will take the sample.
Everybody leaves the building.
Nobody may enter the zone.
No product leaves the site before release.
Opening the valve.
Cleaning of the filter with water.
Checking the seal and recording the result.
Completing the batch record.
Samples will be stored at 4 °C.
Samples should be taken hourly.
Gloves must be worn at all times.
Personnel shall wear safety glasses.
Supervisors should review the log.
Security will escort the visitor.
Quality assurance will release the batch.
Help desk will create a ticket.
IT must disable the account.
Run will last about one hour.
Password must be changed every 90 days.
Order should be confirmed within a day.
Report must be filed by Friday.
Once the request is approved, the buyer will place the order.
When the test is over, the analyst records the value.
If the value is out of range, the supervisor should be informed.
After the meeting, you will receive the minutes.
At this point, the system will send a message.
In case of fire, the alarm must be raised.
For each delivery, the receiver must check the seal.
Before use, the balance should be levelled.
When the light turns green, you can enter.
Once the pump has stopped, it can be opened.
Will need a clean beaker.
A copy of the form is sent to the office.
An alarm will sound.
The following items are needed.
Line manager approves the plan.
Warehouse staff will load the truck.
Customer service contacts the customer.
Maintenance replaces the filter.
`;

export function linesOf(text: string): string[] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim());
}
