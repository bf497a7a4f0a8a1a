/** Reads how e-mails show the product: the setting `mail`, and the portal where it says nothing else. */
import type { Db } from '../../../db/client.ts'
import type { Brand } from '../../../mail/brand.ts'
import { portalIn, readPortal } from '../../configuration/portal/portal.service.ts'
import { accepts } from '../../configuration/settings/declared.service.ts'
import * as store from './brand.store.ts'
import { mailSetting } from './mail.settings.ts'

type Portal = ReturnType<typeof portalIn>

const merge = (brand: Brand, { product, logo, color }: Portal): Brand => ({
  ...brand,
  ...(brand.product === undefined && product !== '' && { product }),
  logo: brand.logo || logo,
  color: brand.color || color,
})

const mailIn = (value: unknown): Brand => (accepts(mailSetting, value) ? (value as Brand) : {})

/** The appearance that stored values describe. An invalid value has no effect, so that it prevents no e-mail. */
export const brandIn = (mail: unknown, portal: unknown): Brand => merge(mailIn(mail), portalIn(portal))

export const readBrand = async (db: Db): Promise<Brand> => {
  const [row, portal] = await Promise.all([store.selectGlobal(db, mailSetting.key), readPortal(db)])
  return merge(mailIn(row?.value), portal)
}
