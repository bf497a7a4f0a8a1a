/** The person as applications see them: in ID tokens and at userinfo. */
import type { JWTPayload } from 'jose'
import type { Person } from '../../../accounts/sessions/application-sessions.service.ts'

const profileOf = (person: Person): JWTPayload => ({
  name: person.nickname === '' ? person.username : person.nickname,
  preferred_username: person.username,
  ...(person.language !== null && { locale: person.language.split(',')[0] }),
  tenant_name: person.tenant_name,
  tenant_slug: person.tenant_slug,
})

/** The claims about a person that the scopes give. Only the installation's own applications learn the person behind all tenants. */
export const claimsAbout = (
  person: Person,
  { scopes, isOwn }: { scopes: readonly string[]; isOwn: boolean },
): JWTPayload => ({
  ...(scopes.includes('profile') && profileOf(person)),
  ...(scopes.includes('email') && { email: person.email, email_verified: person.is_email_verified }),
  ...(isOwn && { person: person.person }),
})
