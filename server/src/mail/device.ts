/** A browser that identifies itself by several names comes first: Edge also says Chrome, and Chrome also says Safari. */
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdgA?(?:iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
]

const systems: [name: string, pattern: RegExp][] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

const nameIn = (names: [name: string, pattern: RegExp][], text: string): string =>
  names.find(([, pattern]) => pattern.test(text))?.[0] ?? ''

/** Browser family and system. "" where the user agent does not tell: nothing of its text reaches an e-mail. */
export interface Device {
  browser: string
  system: string
}

export const deviceOf = (userAgent: string): Device => ({
  browser: nameIn(browsers, userAgent),
  system: nameIn(systems, userAgent),
})
