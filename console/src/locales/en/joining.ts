/** The page of a mailed invitation. */
export const joining = {
  dead: 'It was used, replaced or revoked, is older than 7 days, or was not copied completely. Ask for a new invitation. If you have joined already, sign in.',
  invites: '{{tenant}} has invited you.',
  joined: 'You now belong to {{tenant}}. Sign in again to continue.',
  new: 'Choose your username and password.',
  otherSession:
    'This invitation is for {{invited}}, and you are signed in as {{own}}. Sign out to accept it with the other address.',
  owner:
    'This address has an account that nobody has confirmed yet. Choose a new password. The old one stops working, and all sessions of the account end.',
  password:
    'You have an account with this address. Choose your username in this tenant, and enter your password.',
  session: 'You are signed in with this address. Choose your username in this tenant.',
  signOutAndGoOn: 'Sign out and continue',
  staySignedIn: 'Stay signed in',
  submit: 'Accept the invitation',
}
