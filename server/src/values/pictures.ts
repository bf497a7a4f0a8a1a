import { invalid } from '../errors/app-error.ts'

/** Markers of frame headers (ITU-T T.81, table B.1). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** The longer side of a JPEG, from its frame header. Undefined for any other file. */
const sideOfJpeg = (file: Buffer): number | undefined => {
  if (file.length < 2 || file.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 <= file.length && file[at] === 0xff) {
    if (isFrame(file[at + 1] ?? 0)) return Math.max(file.readUInt16BE(at + 5), file.readUInt16BE(at + 7))
    at += 2 + file.readUInt16BE(at + 2)
  }
  return undefined
}

/** The beginning of every PNG: its signature, and the head of the chunk with its size. */
const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** The longer side of a PNG. Undefined for any other file. */
const sideOfPng = (file: Buffer): number | undefined =>
  file.length >= 24 && file.subarray(0, pngStart.length).equals(pngStart)
    ? Math.max(file.readUInt32BE(16), file.readUInt32BE(20))
    : undefined

const readers = { 'image/jpeg': sideOfJpeg, 'image/png': sideOfPng }

export interface PictureBounds {
  types: (keyof typeof readers)[]
  /** The longest side in pixels. A decoded picture takes 4 bytes a pixel in each browser that shows it. */
  sideMax: number
  bytesMax: number
}

const dataUrl = /^data:(image\/[a-z]+);base64,([A-Za-z0-9+/]+={0,2})$/

/** Type and bytes of a picture in a data URL. Undefined for any other text. */
export const dataUrlParts = (text: string): { type: string; content: Buffer } | undefined => {
  const [, type, base64 = ''] = dataUrl.exec(text) ?? []
  return type === undefined ? undefined : { type, content: Buffer.from(base64, 'base64') }
}

const isPicture = (text: string, { types, sideMax, bytesMax }: PictureBounds): boolean => {
  const picture = dataUrlParts(text)
  const type = types.find((one) => one === picture?.type)
  if (picture === undefined || type === undefined) return false
  const file = picture.content
  const side = readers[type](file) ?? 0
  return side > 0 && side <= sideMax && file.length <= bytesMax
}

/** Throws 400 unless the text is "" or a data URL of a picture within the bounds. */
export const requirePicture = (field: string, text: string, bounds: PictureBounds): void => {
  if (text === '' || isPicture(text, bounds)) return
  const { types, sideMax, bytesMax } = bounds
  const names = types.map((type) => type.slice('image/'.length).toUpperCase()).join(' or ')
  const size = `at most ${sideMax} by ${sideMax} pixels and ${bytesMax} bytes`
  throw invalid(field, `must be a data URL of a ${names} of ${size}`)
}
