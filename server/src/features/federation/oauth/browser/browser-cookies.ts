/** The unchecked cookies of a browser. */
export interface BrowserCookies {
  /** The cookie of the sign-in. */
  signIn: string | undefined
  /** The cookie that binds interactions to the browser. */
  browser: string | undefined
}
