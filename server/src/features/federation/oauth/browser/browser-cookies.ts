/** The unchecked cookies of a browser. */
export interface BrowserCookies {
  /** Of the sign-in. */
  signIn: string | undefined
  /** Names the browser of an interaction. */
  browser: string | undefined
}
