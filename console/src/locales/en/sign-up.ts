/** The pages on which people create organizations. */
export const signUp = {
  again: 'Ask again',
  ask: 'Send the link',
  created: '{{organization}} exists. Sign in again to continue.',
  dead: 'It was used, is older than 24 hours, or was not copied completely.',
  done: '{{organization}} exists, and you are its administrator.',
  inFile: 'No mail server is set up: the e-mail is a file in the folder data/mail of the service.',
  name: 'Name of the organization',
  new: 'Choose your username and password.',
  newLink: 'Request a new link',
  nothing: 'No e-mail after a few minutes? Check your spam folder and the address.',
  otherSession:
    'This link is for {{invited}}, and you are signed in as {{own}}. Sign out to continue with the other address.',
  own: 'Create an organization',
  ownText: 'You become its administrator, and can switch between your tenants in the header.',
  password:
    'You have an account with this address. Choose your username in the organization, and enter your password.',
  sent: 'Check your e-mail',
  sentText: 'A link was sent to {{email}}. It works once, within 24 hours.',
  session: 'You are signed in with this address. Choose your username in the organization.',
  slug: 'Slug',
  slugHint: 'A short name for addresses, in lower-case letters and digits.',
  submit: 'Create the organization',
  text: 'You get a link by e-mail. Nothing is created before you open it.',
  welcome: 'You create {{organization}}, and become its administrator.',
}
