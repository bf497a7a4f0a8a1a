export const saveFile = (parts: BlobPart[], name: string, type = 'text/csv;charset=utf-8'): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(parts, { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
