/** Rules about the fields of an application. */
import type { Config } from '../../../config/config.ts'
import { invalid } from '../../../errors/app-error.ts'
import { requirePicture } from '../../../values/pictures.ts'
import { isOrigin, isPageAddress, isReceiver, isReturnAddress } from './addresses.ts'
import { deviceGrant, type Application } from './applications.schemas.ts'

type Fields = Omit<Application, 'id' | 'client_id' | 'secrets' | 'created_at' | 'updated_at'>

/** Throws 400 for the first invalid item of a list. */
const requireEach = (
  field: string,
  list: string[],
  { isSound, message }: { isSound: (text: string) => boolean; message: string },
): void => {
  const wrong = list.findIndex((text) => !isSound(text))
  if (wrong >= 0) throw invalid(`${field}.${wrong}`, message)
}

const returnMessage = {
  web: 'must be https, or http of the same machine, without fragment, user and wildcard',
  browser: 'must be https, or http of the same machine, without fragment, user and wildcard',
  native: 'must be https, http of the same machine, or a private scheme, without fragment, user and wildcard',
}

const requireAddresses = (config: Config, row: Fields): void => {
  const rule = {
    isSound: (text: string) => isReturnAddress(row.kind, text),
    message: returnMessage[row.kind],
  }
  requireEach('redirect_uris', row.redirect_uris, rule)
  requireEach('post_logout_redirect_uris', row.post_logout_redirect_uris, rule)
  requireEach('allowed_origins', row.allowed_origins, {
    isSound: isOrigin,
    message: 'must be an origin such as https://shop.example.com',
  })
  const { backchannel_logout_uri: receiver, home_url: home } = row
  if (receiver !== '' && !isReceiver(receiver, !config.isProduction)) {
    throw invalid('backchannel_logout_uri', 'must be https, without fragment and user')
  }
  if (home !== '' && !isPageAddress(home)) throw invalid('home_url', 'must be https, without user')
}

const requireSupportAddress = ({ support_uri: uri, kind, is_third_party: isForeign }: Fields): void => {
  if (uri === '') return
  if (kind !== 'web' || isForeign) throw invalid('support_uri', 'only a web application of your own has one')
  if (!isReturnAddress(kind, uri)) throw invalid('support_uri', returnMessage[kind])
}

const requireGrantTypes = ({ grant_types: types, kind, is_third_party: isForeign }: Fields): void => {
  if (!types.includes('authorization_code')) throw invalid('grant_types', 'must include authorization_code')
  if (types.includes(deviceGrant) && (isForeign || kind !== 'native')) {
    throw invalid('grant_types', 'only a native application of your own gets codes of devices')
  }
}

/** Throws 400 for a field that breaks a rule, without reading the database. */
export const requireSound = (config: Config, row: Fields): void => {
  requireAddresses(config, row)
  requireGrantTypes(row)
  requireSupportAddress(row)
  if (row.tenantry_api && row.is_third_party) {
    throw invalid('tenantry_api', 'a third-party application never uses the API of Tenantry')
  }
  requirePicture('logo', row.logo, { types: ['image/png', 'image/jpeg'], sideMax: 256, bytesMax: 16_384 })
}

/** The tenants, resources and permissions of an application that do not exist. */
export interface Unknown {
  tenants: { id: string }[]
  resources: { id: number }[]
  permissions: { code: string }[]
}

/** Throws 400 if an application names a tenant, a resource or a permission that does not exist. */
export const requireKnown = (
  { tenant_ids: tenantIds, resource_ids: resourceIds }: Fields,
  { tenants: [tenant], resources: [resource], permissions: [permission] }: Unknown,
): void => {
  if (tenant) throw invalid(`tenant_ids.${tenantIds?.indexOf(tenant.id)}`, 'no tenant has this id')
  if (resource) throw invalid(`resource_ids.${resourceIds.indexOf(resource.id)}`, 'no resource has this id')
  if (permission) {
    throw invalid('required_permission', 'no permission of the product has this code', 'unknownPermission')
  }
}
