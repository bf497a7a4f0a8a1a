import type { en } from '../en.ts'

export const users: (typeof en)['users'] = {
  changed_one: '已更改 {{count}} 个用户。',
  changed_other: '已更改 {{count}} 个用户。',
  delete: '删除',
  deleteText: '这些用户将立即失去会话和角色。此操作无法撤销。',
  deleteTitle_one: '删除 {{count}} 个用户？',
  deleteTitle_other: '删除 {{count}} 个用户？',
  description: '属于该租户的用户',
  disable: '停用',
  disableText: '这些用户将立即退出登录，重新启用前无法登录。',
  disableTitle_one: '停用 {{count}} 个用户？',
  disableTitle_other: '停用 {{count}} 个用户？',
  enable: '启用',
  none: '还没有用户',
  noneFound: '没有匹配的用户',
  noneFoundText: '请更换搜索条件，或显示全部。',
  search: '搜索用户',
  title: '用户',
}
