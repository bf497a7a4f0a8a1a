/** The claims about a person in ID tokens and at userinfo. */
import type { JWTPayload } from 'jose'
import type { Person } from '../../../accounts/sessions/application-sessions.service.ts'

const profileOf = (person: Person): JWTPayload => ({
  name: person.nickname === '' ? person.username : person.nickname,
  preferred_username: person.username,
  ...(person.language !== null && { locale: person.language.split(',')[0] }),
  tenant_name: person.tenant_name,
  tenant_slug: person.tenant_slug,
})

/** Only first-party applications get `person`, which identifies a person across tenants. */
export const personClaims = (
  person: Person,
  { scopes, isOwn }: { scopes: readonly string[]; isOwn: boolean },
): JWTPayload => ({
  ...(scopes.includes('profile') && profileOf(person)),
  ...(scopes.includes('email') && { email: person.email, email_verified: person.is_email_verified }),
  ...(isOwn && { person: person.person }),
})
