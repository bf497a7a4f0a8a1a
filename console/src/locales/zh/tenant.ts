import type { en } from '../en.ts'

/** The page of one tenant. */
export const tenant: (typeof en)['tenant'] = {
  administrators: '管理员',
  allAdministrators: '查看该角色',
  allRecords: '查看审计日志',
  allSettings_one: '查看该设置',
  allSettings_other: '查看全部 {{count}} 项设置',
  allUsers_one: '查看该用户',
  allUsers_other: '查看全部 {{said}} 位用户',
  closed: '要查看此租户的内部，需要 tenant:enter 权限。',
  facts: '详情',
  history: '对此租户本身的更改。这些记录保存在内置租户中。',
  noAdministrators: '此租户还没有管理员。',
  noRecords: '此租户还没有任何记录。',
  noSettings: '此租户没有自己的设置。',
  noUsers: '此租户还没有用户。',
  records: '此租户的最近事件',
  users: '最新用户',
}
