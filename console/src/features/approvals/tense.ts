import type { Language } from '../../translation.ts'

const presents: Record<string, string> = {
  activated: 'activate',
  added: 'add',
  assigned: 'assign',
  changed: 'change',
  created: 'create',
  customized: 'customize',
  defined: 'define',
  deleted: 'delete',
  disabled: 'disable',
  enabled: 'enable',
  encrypted: 'encrypt',
  ended: 'end',
  invited: 'invite',
  linked: 'link',
  locked: 'lock',
  made: 'make',
  removed: 'remove',
  renamed: 'rename',
  replayed: 'replay',
  required: 'require',
  resent: 'resend',
  restored: 'restore',
  revoked: 'revoke',
  rotated: 'rotate',
  saved: 'save',
  sent: 'send',
  signed: 'sign',
  turned: 'turn',
  unlinked: 'unlink',
  unlocked: 'unlock',
  verified: 'verify',
}

/** Turns the beginning of a sentence of the audit log into the present, for a change that is not made yet. */
export const presentOf = (text: string, language: Language): string =>
  language === 'zh' ? text.replace('了', '') : text.replace(/^\w+/, (verb) => presents[verb] ?? verb)
