/** docs/contract.md, "Limits". */
export const networksMax = 20

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

const isIpv6 = (host: string): boolean =>
  /^[\da-f:.]*:[\da-f:.]*$/i.test(host) && URL.canParse(`http://[${host}]`)

/** An address or a CIDR range that the service accepts. */
export const isNetwork = (text: string): boolean => {
  const [, host = '', prefix = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (ipv4.test(host)) return Number(prefix) <= 32
  return isIpv6(host) && Number(prefix) <= 128
}

/** One network per line. */
export const networksOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
