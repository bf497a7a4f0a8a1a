import ownIcon from '../icon.svg'

/** Shows an image of a data URL as the icon of the window, or that of Tenantry for "". */
export const showIcon = (image: string): void => {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (!link) return
  link.removeAttribute('type')
  link.href = image || ownIcon
}
