/** The portal: the product in place of Tenantry. */
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { accepts } from '../settings/declared.service.ts'
import type { Portal, PortalQuery } from './portal.schemas.ts'
import { portalSetting, type StoredPortal } from './portal.settings.ts'
import * as store from './portal.store.ts'

type Look = Required<StoredPortal>

const nothing: Look = {
  product: '',
  logo: '',
  logo_dark: '',
  icon: '',
  color: '',
  home_url: '',
  help_url: '',
  pages: null,
}

/** The portal of a stored value. An invalid value has no effect. */
export const portalIn = (value: unknown): Look => ({
  ...nothing,
  ...(accepts(portalSetting, value) ? (value as StoredPortal) : {}),
})

export const readPortal = async (db: Db): Promise<Look> =>
  portalIn((await store.selectGlobalPortal(db))?.value)

/** Web addresses in visible ASCII, without a user part and without characters that browsers read as others. */
const webAddress = /^https?:\/\/[!#-&(-.0-;=?A-[\]-~][!#-&(-;=?-[\]-~]*$/

/** An address whose host is the one that a person reads. Undefined for any other text. */
const readAddress = (text: string): URL | undefined => {
  const [authority = ''] = text.replace(/^https?:\/\//, '').split(/[/?#]/)
  return webAddress.test(text) && !authority.includes('@') ? (URL.parse(text) ?? undefined) : undefined
}

/**
 * The way back to a page of the product: at the exact origin of its home page, or of that of an own application. Null
 * for any other address, so that a link to the console leads nobody elsewhere.
 */
const findWayBack = async ({ db }: Ctx, portal: Look, text: string): Promise<Portal['return_to']> => {
  const url = readAddress(text)
  if (!url) return null
  const homes = [{ name: portal.product, home_url: portal.home_url }, ...(await store.selectHomes(db))]
  const home = homes.find(({ home_url }) => URL.parse(home_url)?.origin === url.origin)
  return home ? { name: home.name || url.host, url: url.href } : null
}

export const getPortal = async (ctx: Ctx, { return_to: back = '' }: PortalQuery): Promise<Portal> => {
  const portal = await readPortal(ctx.db)
  return { ...portal, return_to: await findWayBack(ctx, portal, back) }
}
