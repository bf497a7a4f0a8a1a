/** The setting `mail`: the product's name and look in e-mails. */
import { invalid } from '../../../errors/app-error.ts'
import type { Db } from '../../../db/client.ts'
import { brandIn, mailSetting, type Brand } from '../../../mail/brand.ts'
import * as store from './brand.store.ts'

/** Throws 400 for a tenant: otherwise anyone who signs up could write in the installation's name. */
export const refuseBrandOfTenant = (key: string): void => {
  if (key === mailSetting) {
    throw invalid('key', 'is a setting of the installation: write it with PUT /settings/global/mail')
  }
}

export const readBrand = async (db: Db): Promise<Brand> =>
  brandIn((await store.selectGlobal(db, mailSetting))?.value)
