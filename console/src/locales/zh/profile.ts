import type { en } from '../en.ts'

export const profile: (typeof en)['profile'] = {
  again: '再次输入新密码',
  changePassword: '修改密码',
  changePasswordText: '您在其他设备上的登录将全部失效。',
  newPassword: '新密码',
  noRoles: '您没有任何角色。',
  oldPassword: '当前密码',
  passwordChanged: '密码已修改。',
  passwordsDiffer: '两次输入不一致',
  permissions_one: '{{count}} 项权限',
  permissions_other: '{{count}} 项权限',
  roles: '我的角色',
  title: '个人资料',
}
