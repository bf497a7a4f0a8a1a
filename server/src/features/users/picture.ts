import { invalid } from '../../errors.ts'

/** A decoded picture takes 4 bytes a pixel in each browser that shows it. */
const sideMax = 256

/** Markers of frame headers (ITU-T T.81, table B.1). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** The longer side of a JPEG, by its frame header; undefined for any other file. */
const sideOf = (jpeg: Buffer): number | undefined => {
  if (jpeg.length < 2 || jpeg.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 <= jpeg.length && jpeg[at] === 0xff) {
    if (isFrame(jpeg[at + 1] ?? 0)) return Math.max(jpeg.readUInt16BE(at + 5), jpeg.readUInt16BE(at + 7))
    at += 2 + jpeg.readUInt16BE(at + 2)
  }
  return undefined
}

/** Throws 400 for a picture that is no JPEG, or that is small as a file and huge once it is shown. */
export const refuseUnsoundPicture = (avatar: string): void => {
  if (avatar === '') return
  const side = sideOf(Buffer.from(avatar.slice(avatar.indexOf(',') + 1), 'base64'))
  if (side === undefined || side > sideMax) {
    throw invalid('avatar', `must be a JPEG of at most ${sideMax} by ${sideMax} pixels`)
  }
}
