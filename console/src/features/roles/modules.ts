import type { Permission } from '@tenantry/client'

/** Lower ids belong to the service (docs/contract.md, "Roles and permissions"). */
const productIds = 1000

export const isOfProduct = ({ id }: Permission): boolean => id >= productIds

/** The permissions whose name or code contains the text, by module. The product's own modules come first. */
export const modulesOf = (permissions: Permission[], search = ''): Map<string, Permission[]> => {
  const sought = search.toLowerCase()
  const found = permissions.filter(({ name, code }) => `${name}\n${code}`.toLowerCase().includes(sought))
  const own = found.filter(isOfProduct).toSorted((one, other) => one.code.localeCompare(other.code))
  return Map.groupBy([...own, ...found.filter((one) => !isOfProduct(one))], ({ module }) => module)
}
