import type { enPages } from '../en-pages.ts'

/** The fields of the own profile. */
export const ownProfile: (typeof enPages)['ownProfile'] = {
  nicknameHint: '其他人将看到此名称，而不是您的用户名',
  saved: '您的昵称已更改。',
}
