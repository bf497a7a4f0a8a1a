/** The news of this version, for the window “What’s new”. */
export const news = {
  approvals: 'Important changes can wait for the approval of a second person.',
  assistants:
    'Connect an assistant such as Claude. It can do only what you allow, and asks before each change.',
  audit: 'The audit log says in plain words who changed what, and shows if anyone altered a record.',
  devices: 'Your profile shows every signed-in device, and you can sign out any of them.',
  directory: 'Connect your own sign-in provider and directory. A guide shows each step.',
  ends: 'Give a role until a date, or let people start it only when they need it.',
  flags: 'Turn features on for some people first, and see who gets what.',
  import: 'Import users from a file. No one needs a new password.',
  invite: 'Paste a list of e-mail addresses to invite many people immediately.',
  keyboard: 'Press Ctrl K or ⌘ K to find any page, user or action.',
  look: 'Choose English or Chinese, and light or dark, on every page.',
  passkeys: 'Sign in with a passkey: your fingerprint, your face or your device’s PIN.',
  reviews: 'Review who has access, and remove what people no longer need.',
  tenants: 'Each organization has its own users, brand, limits and sign-in.',
  webhooks: 'See every attempt of a webhook with its response, and resend what was lost.',
}
