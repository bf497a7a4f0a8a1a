import type { en } from '../en.ts'

export const permissionTexts: (typeof en)['permissionTexts'] = {
  'user:read': { name: '查看用户', description: '列出租户的用户并查看其详情' },
  'user:create': { name: '创建用户', description: '在租户中创建用户' },
  'user:update': { name: '编辑用户', description: '编辑、启用和停用用户' },
  'user:delete': { name: '删除用户', description: '删除租户的用户' },
  'tenant:read': { name: '查看租户', description: '列出所有租户并查看其详情' },
  'tenant:create': { name: '创建租户', description: '创建新的租户' },
  'tenant:update': { name: '编辑租户', description: '重命名、启用和停用租户' },
  'tenant:delete': { name: '删除租户', description: '删除租户及其全部数据' },
  'tenant:enter': { name: '进入租户', description: '以自身所属租户中的权限进入任意租户' },
  'role:read': { name: '查看角色', description: '查看角色、其权限和拥有者' },
  'role:create': { name: '创建角色', description: '在租户中创建角色' },
  'role:update': { name: '编辑角色', description: '重命名角色并更改其权限' },
  'role:delete': { name: '删除角色', description: '删除非系统角色' },
  'role:assign': { name: '分配角色', description: '为用户分配或移除角色' },
  'audit:read': { name: '查看审计日志', description: '查询租户的审计日志' },
  'setting:read': { name: '查看设置', description: '查看全局设置和租户自己的设置' },
  'setting:update': { name: '编辑设置', description: '修改租户的设置' },
  'setting:delete': { name: '删除设置', description: '删除租户的设置' },
  'setting:global': { name: '编辑全局设置', description: '修改适用于所有租户的设置' },
  'notification:send': { name: '发送通知', description: '向租户的用户发送通知' },
  'notification:read': { name: '查看通知', description: '查看其他用户的通知' },
  'notification:delete': { name: '删除通知', description: '删除其他用户的通知' },
  'dashboard:read': { name: '查看仪表盘', description: '查看租户的统计数据' },
  'authz:check': { name: '查询权限', description: '查询租户中其他用户可以执行哪些操作' },
  'service_account:read': { name: '查看服务账号', description: '列出服务账号及其密钥' },
  'service_account:create': { name: '创建服务账号', description: '在租户中创建服务账号' },
  'service_account:update': { name: '编辑服务账号', description: '编辑服务账号，创建和撤销其密钥' },
  'service_account:delete': { name: '删除服务账号', description: '删除服务账号及其密钥' },
  'webhook:read': { name: '查看 Webhook', description: '列出 Webhook 及其投递记录' },
  'webhook:manage': {
    name: '管理 Webhook',
    description: '设置发送审计记录的 Webhook，另需 audit:read',
  },
  'catalogue:manage': {
    name: '管理目录',
    description: '创建产品的权限，以及每个租户的角色',
  },
}

export const systemRoles: (typeof en)['systemRoles'] = {
  'platform-admin': '管理整个系统：在每个租户中拥有全部权限',
  admin: '管理租户：拥有租户内的全部权限',
  viewer: '可查看租户中的全部内容',
  member: '每个用户的初始角色',
}
