/**
 * The currencies of ISO 4217 by the digits behind the point, as its list of 2026-09-17 has them; those without digits (N.A.)
 * are no money. `Intl` follows CLDR, which has other digits.
 */
const byDigits = [
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  '',
  `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC
  CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
  KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN
  PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS
  UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  'BHD IQD JOD KWD LYD OMR TND',
  'CLF UYW',
].map((codes) => codes.split(/\s+/).filter(Boolean))

/** The digits behind the point, by currency. */
export const digitsOf: ReadonlyMap<string, number> = new Map(
  byDigits.flatMap((codes, digits) => codes.map((code) => [code, digits] as const)).sort(),
)

/** The currencies whose amounts have as many digits behind the point. */
export const currenciesByDigits: readonly (readonly [digits: number, codes: readonly string[]])[] =
  [...byDigits.entries()].filter(([, codes]) => codes.length > 0)
