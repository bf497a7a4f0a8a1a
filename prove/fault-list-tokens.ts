import type { Fault } from './fault.ts'

const suite = 'tokens'

/** Faults of tokens, keys and the guard. Where one names a promise, it breaks that one. */
export const tokenFaults: Fault[] = [
  {
    what: 'a dropped where: an ended session is refreshed',
    file: 'features/accounts/sessions/rotation.service.ts',
    from: 'if (age !== 0 && !isRepeated) return {',
    to: 'if (age < 0) return {',
    suite,
  },
  {
    what: 'a refresh token is accepted as an access token',
    file: 'crypto/tokens.ts',
    from: '    if (!(await isOfUse(use, { header, payload, purpose: found.purpose }, now))) return undefined\n',
    to: '',
    suite,
  },
  {
    what: 'a refresh token that a published key verifies',
    file: 'crypto/keys.ts',
    from: "  purpose !== 'refresh' &&\n",
    to: '  purpose !== undefined &&\n',
    suite,
    promise: 'a published key verifies access tokens and no refresh token',
    isAlone: true,
  },
  {
    what: 'a new key signs before verifiers can know it',
    file: 'crypto/rotation.ts',
    from: 'const signsFrom = isLeaked ? now : afterKeySets(now)',
    to: 'const signsFrom = now',
    suite,
  },
  {
    what: 'a leaked key verifies on',
    file: 'crypto/rotation.ts',
    from: '  if (isLeaked) await deleteTokenKeysBut(db, [access.kid, id.kid, key.kid])\n',
    to: '',
    suite,
    promise: 'after a leak no token of an earlier key is valid',
    isAlone: true,
  },
  {
    what: 'the expiry of a token is not checked',
    file: 'crypto/tokens.ts',
    from: 'currentDate: now,',
    to: 'currentDate: new Date(0),',
    suite,
  },
  {
    what: 'a guard that lets an ended session in',
    file: '../../client/src/guard/permissions.ts',
    from: '        session_id: claims.sessionId,\n',
    to: '',
    suite,
    promise: 'a guarded route of a product refuses an ended session within 2 s',
    isAlone: true,
  },
  {
    what: 'a key of a disabled account goes on',
    file: 'access/caller.store.ts',
    from: ' and a.status = 1`\n',
    to: '`\n',
    suite,
    promise: 'every operation refuses a bad key, whatever is bad about it, with one answer',
    isAlone: true,
  },
]
