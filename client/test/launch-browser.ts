import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** The first one is Chromium without windows, in which the tests of the console take a quarter less time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Starts the Chromium of this machine: playwright-core brings none. */
export const launchBrowser = (): Promise<Browser> => {
  const executablePath = [process.env['CHROMIUM'] ?? '', ...places].find(
    (path) => path !== '' && existsSync(path),
  )
  if (executablePath === undefined) {
    throw new Error('install Chromium (apt-get install chromium), or name it in CHROMIUM')
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}
