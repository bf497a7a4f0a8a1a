/** The package brings no types: the part of it that sign-in-libraries.test.ts uses. */
declare module 'passport-openidconnect' {
  import type { Strategy } from 'passport'

  interface Profile {
    id: string
    displayName?: string
    emails?: { value: string }[]
  }
  type Verified = (err: unknown, user?: Profile) => void

  const OpenIdConnect: new (
    options: object,
    verify: (issuer: string, profile: Profile, done: Verified) => void,
  ) => Strategy
  export default OpenIdConnect
}
