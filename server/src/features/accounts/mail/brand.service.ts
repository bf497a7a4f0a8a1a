/** The setting `mail`: how e-mails show the product. */
import type { Db } from '../../../db/client.ts'
import type { Brand } from '../../../mail/brand.ts'
import { accepts } from '../../configuration/settings/declared.service.ts'
import * as store from './brand.store.ts'
import { mailSetting } from './mail.settings.ts'

/** The look by a stored value. One that nobody checked counts for nothing, so that no e-mail fails by it. */
export const brandIn = (value: unknown): Brand => (accepts(mailSetting, value) ? (value as Brand) : {})

export const readBrand = async (db: Db): Promise<Brand> =>
  brandIn((await store.selectGlobal(db, mailSetting.key))?.value)
