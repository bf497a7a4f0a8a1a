/** Reads the setting `mail`: how e-mails show the product. */
import type { Db } from '../../../db/client.ts'
import type { Brand } from '../../../mail/brand.ts'
import { accepts } from '../../configuration/settings/declared.service.ts'
import * as store from './brand.store.ts'
import { mailSetting } from './mail.settings.ts'

/** The appearance that a stored value describes. An invalid value has no effect, so that it prevents no e-mail. */
export const brandIn = (value: unknown): Brand => (accepts(mailSetting, value) ? (value as Brand) : {})

export const readBrand = async (db: Db): Promise<Brand> =>
  brandIn((await store.selectGlobal(db, mailSetting.key))?.value)
