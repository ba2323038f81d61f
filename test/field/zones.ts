/** 40 time zones: both ends of the earth, half and quarter hours, and zones whose days change at other moments of the year. */
export const zones = [
  ...["Pacific/Honolulu", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu", "UTC", "Pacific/Pago_Pago"],
  ...[
    "America/Los_Angeles",
    "America/New_York",
    "America/Sao_Paulo",
    "Atlantic/Azores",
    "Europe/London",
    "Europe/Berlin",
  ],
  ...["Europe/Athens", "Europe/Moscow", "Asia/Tehran", "Asia/Kabul", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka"],
  ...["Asia/Yangon", "Asia/Bangkok", "Asia/Shanghai", "Asia/Tokyo", "Australia/Eucla", "Australia/Adelaide"],
  ...[
    "Australia/Sydney",
    "Australia/Lord_Howe",
    "Pacific/Auckland",
    "Pacific/Chatham",
    "Pacific/Apia",
    "Pacific/Marquesas",
  ],
  ...[
    "America/Anchorage",
    "America/Phoenix",
    "America/Havana",
    "America/Asuncion",
    "Africa/Cairo",
    "Africa/Johannesburg",
  ],
  ...["Asia/Beirut", "Asia/Kamchatka", "Antarctica/Troll"],
] as const;
