/** docs/contract.md, "Sign in with Tenantry": the largest logo of a tenant in bytes, and its longer side in pixels. */
const bytesMax = 32_768
const sideMax = 512

const toUrl = (picture: ImageBitmap, scale: number): string => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext('2d')
  if (!context) return ''
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png')
}

/** The size of the picture in a data URL (base64). */
const bytesOf = (url: string): number => Math.ceil(((url.length - url.indexOf(',') - 1) * 3) / 4)

/** A picture as a PNG within the limits, without the metadata of a camera. Undefined for an unreadable file. */
export const readLogo = async (file: File): Promise<string | undefined> => {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) return undefined
  const whole = Math.min(1, sideMax / Math.max(picture.width, picture.height))
  const drawn = [1, 0.75, 0.5, 0.35, 0.25, 0.15].map((part) => toUrl(picture, whole * part))
  picture.close()
  return drawn.find((url) => url !== '' && bytesOf(url) <= bytesMax)
}
