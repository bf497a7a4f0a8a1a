/** The setting `mail`: how e-mails show the product. */
import { invalid } from '../../../errors/app-error.ts'
import type { Db } from '../../../db/client.ts'
import { brandIn, mailSetting, type Brand } from '../../../mail/brand.ts'
import * as store from './brand.store.ts'

/** Throws 400 for a tenant: whoever has signed up could otherwise write in the name of the installation. */
export const refuseBrandOfTenant = (key: string): void => {
  if (key === mailSetting) {
    throw invalid('key', 'is a setting of the installation: write it with PUT /settings/global/mail')
  }
}

/** How e-mails show the product. */
export const readBrand = async (db: Db): Promise<Brand> =>
  brandIn((await store.selectGlobal(db, mailSetting))?.value)
