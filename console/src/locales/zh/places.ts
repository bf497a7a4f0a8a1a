import type { en } from '../en.ts'

/** The names of the pages, and of things that other pages lead to. */
export const places: (typeof en)['places'] = {
  audit: '审计日志',
  catalogue: '目录',
  changePassword: '修改密码',
  createUser: '创建用户',
  dashboard: '仪表盘',
  importShort: '导入',
  invitations: '邀请',
  invite: '邀请人员',
  notifications: '通知',
  openServiceAccount: '打开服务账号',
  profile: '个人资料',
  reference: 'API 参考',
  role: '角色',
  roles: '角色',
  serviceAccount: '服务账号',
  serviceAccounts: '服务账号',
  settings: '设置',
  template: '角色模板',
  tenants: '租户',
  user: '用户',
  userImport: '导入用户',
  users: '用户',
}
