/** Pictures of a product, drawn by the browser. */
import type { Page } from 'playwright-core'

export interface Logos {
  logo: string
  logo_dark: string
  icon: string
}

const drawn = async (page: Page, letter: string, [back, ink]: [string, string]): Promise<string> => {
  await page.setContent(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
    <circle cx="32" cy="32" r="32" fill="${back}"/>
    <text x="32" y="45" font-family="Georgia, serif" font-size="38" text-anchor="middle" fill="${ink}">${letter}</text>
  </svg>`)
  const picture = await page.locator('svg').screenshot({ omitBackground: true })
  return `data:image/png;base64,${picture.toString('base64')}`
}

/** The logos of a product with this letter and colour. */
export const drawLogos = async (page: Page, letter: string, color: string): Promise<Logos> => {
  const logo = await drawn(page, letter, [color, '#ffffff'])
  return { logo, logo_dark: await drawn(page, letter, ['#ffffff', color]), icon: logo }
}
