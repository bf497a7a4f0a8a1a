import type { en } from '../en.ts'

export { grants, memberships, ownProfile, profile, sessions } from './account.ts'
export { factors, recovery, signUp } from './credentials.ts'
export { errors } from './errors.ts'
export { hosted } from './hosted.ts'
export { common, fieldFaults, fields, passwordFaults, signIn } from './kit.ts'

export const ownAccount: (typeof en)['ownAccount'] = {
  changePassword: '修改密码',
  data: '数据',
  devices: '设备',
  organization: '组织',
  organizations: '组织',
  person: '个人资料',
  personText: '组织中的其他人可以看到您的名称和头像。',
  profile: '个人资料',
  roles: '我在 {{name}} 的角色',
  signIn: '登录',
  signOut: '退出登录',
  title: '我的账户',
}
