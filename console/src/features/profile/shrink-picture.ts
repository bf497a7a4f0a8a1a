/** The service's limit for the data URL (docs/contract.md, "Users and accounts"). */
const lengthMax = 4096

/** In pixels. Sharp at the largest size that the console shows, on a screen with two dots per pixel. */
const side = 96

const qualities = [0.9, 0.75, 0.6, 0.45, 0.3, 0.15]

/**
 * The central square of a picture as a small JPEG, without the metadata of a camera. Undefined if the browser cannot
 * read the file as a picture.
 */
export const shrinkPicture = async (file: File): Promise<string | undefined> => {
  const picture = await createImageBitmap(file).catch(() => undefined)
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!picture || !context) return undefined
  canvas.width = side
  canvas.height = side
  context.imageSmoothingQuality = 'high'
  // A JPEG has no transparency.
  context.fillStyle = 'white'
  context.fillRect(0, 0, side, side)
  const { width, height } = picture
  const cut = Math.min(width, height)
  context.drawImage(picture, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, side, side)
  picture.close()
  const drawn = qualities.map((quality) => canvas.toDataURL('image/jpeg', quality))
  return drawn.find((url) => url.length <= lengthMax)
}
