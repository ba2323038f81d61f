/** Units as written after a number, for use in regular expressions. */

/** Units to which a number in a step is bound by a no-break space. */
export const measuredUnits =
  "mg|µg|μg|ng|kg|g|mL|ml|µL|μL|uL|ul|cm|mm|µm|μm|nm|km|m|°C|°F|kPa|MPa|hPa|Pa|mbar|bar|psi|kV|mV|V|mA|kW|kHz|MHz|Hz|rpm|ppm|mmol|mol|mM|µM|μM|Nm|dB|lx|min|kB|MB|GB|TB";

/** Units of physical quantities, as symbols and as words, which make a number a limit. */
export const physicalUnits = `${measuredUnits}|A|W|K|L|l|cl|dl|N|kN|J|kJ|t|h|s|lb|lbs|oz|ft|in|kWh|[mc]?Sv|Bq|mSv\\/h|[mckd]?m[²³23]|(?:m|km)\\/h|[Bb]ars?|dBA|ppb|mph|U\\/min|[Dd]egrees?|[Gg]rad|degrés?|grados?|gradi|graden|graus?|[Vv]olts?|[Aa]mp(?:ere|ère|erio|èr)?s?|[Ww]atts?|(?:[Kk]ilo|[Mm]illi|[Mm]ikro|[Mm]icro)?(?:gram(?:me)?s?|grammes?|gramos?|grammi)|(?:[Kk]ilo|[Mm]illi|[Cc]enti)?m[eè]t(?:res?|ers?|ern?|ros?|ri|re)|(?:[Cc]enti|[Mm]illi)?(?:[Ll]it(?:res?|ers?|ern?|ros?|ri|re))|[Ss]econds?|[Ss]ekunden?|[Mm]inut(?:es?|en|os?|i|e)|[Mm]inuut|psig|kilos?|tons?|tonnes?|Tonnen?`;
