import type { en } from '../en.ts'

export { audit, auditActions } from './audit.ts'
export { auditFields, auditPhrases, auditResources } from './audit-records.ts'
export { table } from './kit.ts'
export { permissionTexts, systemRoles } from './permissions.ts'

/** The titles of pages, which links use as well. */
export const places: (typeof en)['places'] = {
  application: '应用',
  applications: '应用',
  flag: '功能开关',
  flags: '功能开关',
  grants: '用户授权',
  resources: '资源',
  audit: '审计日志',
  catalogue: '权限',
  connection: '连接',
  connections: '企业登录',
  newConnection: '新建连接',
  newProvider: '新建提供方',
  provider: '提供方',
  providers: '登录提供方',
  changePassword: '修改密码',
  createUser: '创建用户',
  createWebhook: '创建 Webhook',
  decisions: '权限查询',
  dashboard: '仪表盘',
  importShort: '导入',
  invitations: '邀请记录',
  invite: '邀请用户',
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
  webhook: 'Webhook',
  webhooks: 'Webhook',
}
