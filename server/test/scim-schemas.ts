/** Answers of directories against the schemas of another implementation of SCIM. */
import { isDeepStrictEqual } from 'node:util'
import SCIMMY from 'scimmy'

type Fields = Record<string, unknown>

const { User, Group, EnterpriseUser, ResourceType, ServiceProviderConfig } = SCIMMY.Schemas
User.definition.extend(EnterpriseUser.definition, false)

const read: Record<string, (resource: Fields) => object> = {
  [User.definition.id]: (resource) => new User(resource, 'out'),
  [Group.definition.id]: (resource) => new Group(resource, 'out'),
  [ResourceType.definition.id]: (resource) => new ResourceType(resource),
  [ServiceProviderConfig.definition.id]: (resource) => new ServiceProviderConfig(resource),
}

/** The other implementation adds a type, and makes an address of its own. */
const comparable = ({ meta, ...rest }: Fields): Fields => {
  const { created, lastModified } = (meta ?? {}) as Fields
  return { ...rest, created, lastModified }
}

const requireResource = (resource: Fields): boolean => {
  const [schema = ''] = (resource['schemas'] ?? []) as string[]
  const understood = read[schema]?.(resource)
  if (understood === undefined) return false
  const [ours, theirs] = [resource, JSON.parse(JSON.stringify(understood)) as Fields].map(comparable)
  if (isDeepStrictEqual(ours, theirs)) return true
  throw new Error(`scimmy reads ${JSON.stringify(ours)} as ${JSON.stringify(theirs)}`)
}

/**
 * Throws for a resource that the other implementation refuses, or of which it drops a part. Returns the number of
 * resources.
 */
export const requireConforming = (body: Fields): number => {
  const resources = (body['Resources'] as Fields[] | undefined) ?? [body]
  return resources.filter(requireResource).length
}
