/** Our own texts. Each has the answers of a careless model for its only block, and whether they may be accepted. */
export interface Golden {
  text: string;
  /** Rewordings that keep all facts. */
  good: readonly string[];
  /** Rewordings that lose a fact. */
  bad: readonly string[];
}

export const golden: readonly Golden[] = [
  {
    text: "The tank should be heated to 85 °C.",
    good: ["Heat the tank to 85 °C."],
    bad: ["Heat the tank.", "Heat the tank to 58 °C.", "Heat the tank to 85 °F."],
  },
  {
    text: "Rinsing is done for 20 min at 2.5 bar.",
    good: ["Rinse for 20 min at 2.5 bar."],
    bad: ["Rinse for 20 min.", "Rinse for 25 min at 2 bar.", "Rinse well."],
  },
  {
    text: "You must never open the guard while it runs.",
    good: ["While it runs, you must never open the guard."],
    bad: ["Open the guard.", "Keep the guard shut.", "You must not open the guard."],
  },
  {
    text: "Only a licensed electrician works on the panel.",
    good: ["A licensed electrician only works on the panel."],
    bad: ["A licensed electrician works on the panel."],
  },
  {
    text: "Do not mix bleach and acid.",
    good: ["Bleach and acid: do not mix them.", "Don't mix bleach and acid."],
    bad: ["Mix bleach and acid.", "Avoid bleach with acid."],
  },
  {
    text: "Add 1,5 ml of reagent per 100 ml.",
    good: ["Per 100 ml add 1,5 ml of reagent."],
    bad: ["Add 1.5 ml of reagent per 100 ml.", "Add reagent.", "Add 15 ml of reagent per 100 ml."],
  },
  {
    text: "Torque the bolts to 45 ± 5 Nm.",
    good: ["Tighten the bolts to 45 ± 5 Nm."],
    bad: ["Torque the bolts to 45 Nm.", "Torque the bolts."],
  },
  {
    text: "Run `sop lint` and read the report.",
    good: ["Read the report of `sop lint`."],
    bad: ["Run the checker and read the report.", "Run sop lint and read the report."],
  },
  {
    text: "Follow [the permit](/sop/permit).",
    good: ["[The permit](/sop/permit) applies."],
    bad: ["Follow the permit.", "Follow [the permit](/sop/other)."],
  },
  {
    text: "![Valve V3](/api/assets/v3.png)",
    good: ["The valve: ![Valve V3](/api/assets/v3.png)"],
    bad: ["Look at valve V3."],
  },
  {
    text: "> [!DANGER]\n> Steam burns: stand aside.",
    good: ["> [!DANGER]\n> Stand aside: steam burns."],
    bad: ["Steam burns: stand aside.", "> [!NOTE]\n> Steam burns: stand aside."],
  },
  {
    text: "> [!WARNING]\n> Lock out before 8:00.",
    good: ["> [!WARNING]\n> Before 8:00 lock out."],
    bad: ["> [!WARNING]\n> Lock out.", "Lock out before 8:00."],
  },
  {
    text: "Keep the record for 5 years.",
    good: ["The record stays for 5 years."],
    bad: ["Keep the record.", "Keep the record for years."],
  },
  {
    text: "Valid from 2026-10-01 to 2027-09-30.",
    good: ["From 2026-10-01 to 2027-09-30 it is valid."],
    bad: ["Valid for a year.", "Valid from 2026-10-01."],
  },
  {
    text: "Stop the line unless QA agrees.",
    good: ["Unless QA agrees, stop the line."],
    bad: ["Stop the line.", "Stop the line if QA agrees."],
  },
  {
    text: "Smoking is prohibited in room 12.",
    good: ["In room 12 smoking is prohibited."],
    bad: ["Smoke outside room 12.", "Smoking is prohibited."],
  },
  {
    text: "Take 3 samples of 250 g each.",
    good: ["Of 250 g each take 3 samples."],
    bad: ["Take samples of 250 g each.", "Take 3 samples."],
  },
  {
    text: "Flow is kept between 5 m³/h and 7 m³/h.",
    good: ["Keep the flow between 5 m³/h and 7 m³/h."],
    bad: ["Keep the flow near 6 m³/h.", "Keep the flow."],
  },
  {
    text: "Shut down above 110 dB or 60 Hz.",
    good: ["Above 110 dB or 60 Hz shut down."],
    bad: ["Shut down when it is loud.", "Shut down above 110 dB."],
  },
  {
    text: "The operator shall not leave the reactor.",
    good: ["Leave the reactor? The operator shall not."],
    bad: ["The operator stays at the reactor.", "The operator shall leave the reactor."],
  },
  { text: "Always wear gloves.", good: ["Gloves: always wear them."], bad: ["Wear gloves.", "Wear gloves if needed."] },
  {
    text: "1. Open valve 3.\n2. Wait 10 s.\n3. Close valve 3.",
    good: ["1. Open valve 3.\n2. After 10 s, close valve 3."],
    bad: ["1. Open valve 3.\n2. Wait.\n3. Close it.", "1. Open valve 3.\n2. Wait 10 s."],
  },
  {
    text: "| Part | Limit |\n|---|---|\n| Pump | 4 bar |\n| Tank | 2 bar |",
    good: ["| Part | At most |\n|---|---|\n| Pump | 4 bar |\n| Tank | 2 bar |"],
    bad: ["| Part | Limit |\n|---|---|\n| Pump | 4 bar |", "The pump has a limit."],
  },
  {
    text: "```\nsystemctl stop pump\n```",
    good: ["First:\n\n```\nsystemctl stop pump\n```"],
    bad: ["Stop the pump service.", "```\nsystemctl start pump\n```"],
  },
  {
    text: "Dose 0,5–0,8 mg/l of chlorine.",
    good: ["Of chlorine dose 0,5–0,8 mg/l."],
    bad: ["Dose 0,5 mg/l of chlorine.", "Dose chlorine."],
  },
  {
    text: "Cool below -18 °C within 4 h.",
    good: ["Within 4 h cool below -18 °C."],
    bad: ["Cool within 4 h.", "Cool below -18 °C.", "Freeze it."],
  },
  {
    text: "Backups hold 99.9 % of 2 TB.",
    good: ["Of 2 TB backups hold 99.9 %."],
    bad: ["Backups hold nearly all of 2 TB.", "Backups hold 99 % of 2 TB."],
  },
  {
    text: "Call 112, then 0800 1234.",
    good: ["First call 112, then 0800 1234."],
    bad: ["Call for help.", "Call 112."],
  },
  {
    text: "Read [a][r] at once.\n\n[r]: /sop/rules",
    good: ["At once read [a][r].", "Read [a](/sop/rules) at once."],
    bad: ["Read the rules at once.", "Read [a](/sop/other) at once."],
  },
  {
    text: "Den Tank auf 85 °C erwärmen, 20 min warten.",
    good: ["Tank auf 85 °C erwärmen und 20 min warten."],
    bad: ["Den Tank erwärmen und warten.", "Den Tank auf 85 °C erwärmen."],
  },
  {
    text: "Load at most 350 kg; the lift holds 500 kg.",
    good: ["The lift holds 500 kg: load at most 350 kg."],
    bad: ["Load at most 500 kg.", "Load 350 kg."],
  },
  {
    text: "- Acid: pH 2\n- Base: pH 11",
    good: ["- pH 2: acid\n- pH 11: base"],
    bad: ["- Acid\n- Base", "- Acid: pH 2"],
  },
  {
    text: "Wait ≥ 30 min, ≤ 45 min.",
    good: ["Wait for ≥ 30 min and ≤ 45 min."],
    bad: ["Wait 30 min.", "Wait ≥ 30 min."],
  },
  {
    text: "Two people must lift it; one must never.",
    good: ["It must be lifted by two; it must never be lifted by one."],
    bad: ["Two people lift it.", "Two people must lift it."],
  },
];
