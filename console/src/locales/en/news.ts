/** The news of this version, for the window “What’s new”. */
export const news = {
  approvals: 'Important changes can require another user’s approval.',
  assistants:
    'Connect an assistant such as Claude. It can do only what you allow, and asks before each change.',
  audit: 'The audit log says in plain words who changed what, and shows if anyone altered a record.',
  devices: 'Your profile shows every signed-in device, and you can sign out any of them.',
  directory: 'Connect your own sign-in provider and directory. A guide shows each step.',
  ends: 'Assign a role until a set date, or let users activate it only when they need it.',
  flags: 'Turn features on for some users first, and see who gets what.',
  import: 'Import users from a file, and check every row before anything is sent.',
  invite: 'Paste a list of e-mails to invite many users at once.',
  keyboard: 'Press Ctrl K or ⌘ K to find any page, user or action.',
  look: 'Choose English or Chinese, and light or dark, on every page.',
  passkeys: 'Sign in with a passkey: your fingerprint, your face or your device’s PIN.',
  reviews: 'Review who has access, and remove what users no longer need.',
  tenants: 'Each organization has its own users, brand, limits and sign-in.',
  webhooks: 'See every delivery attempt with its response, and send lost events again.',
}
