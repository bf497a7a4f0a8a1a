/** The cookies of a browser, as they came. */
export interface BrowserCookies {
  signIn: string | undefined
  browser: string | undefined
}
