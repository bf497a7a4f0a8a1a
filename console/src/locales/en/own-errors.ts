import type { ErrorReason } from '@tenantry/client'

/** Errors that no answer of the service brings. Every page has them, because it may be offline. */
export const ownErrors = {
  network: 'The service can’t be reached. Check your connection, and try again.',
  timeout: 'The service didn’t answer in time. Try again.',
  storage: 'This browser couldn’t store or read your session. Allow this site to store data, then try again.',
  unknown: 'The service’s response couldn’t be read. Reload the page, or try again.',
  partMissing:
    'A part of the console is missing, perhaps after an upgrade. Save or copy your work, then try again.',
  passkeyKnown: 'This device already has a passkey for your account.',
  passkeyUnused: 'Your browser didn’t return a passkey. Try again, or choose another way.',
  unexpected: 'This page has a problem. Reload it.',
  workFailed:
    'Your browser couldn’t complete the bot check. Open this page over https, in a current browser.',
} satisfies Partial<
  Record<ErrorReason | 'partMissing' | 'passkeyKnown' | 'passkeyUnused' | 'unexpected' | 'workFailed', string>
>
