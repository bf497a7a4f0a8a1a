import type { en } from '../en.ts'

export const ssoPlan: (typeof en)['ssoPlan'] = {
  addDirectory: '设置目录（SCIM，可选）',
  builtIn: '这是内置租户。每个组织都有自己的租户，其连接应在该租户中设置。',
  connection: '2. 创建连接',
  connectionText: '通过 OpenID Connect 或 SAML 连接到您的身份提供方。启用之前会先测试。',
  directory: '3. 设置目录（可选）',
  directoryText: '提供方通过 SCIM 推送人员和组，使离开的人员立即失去访问权限。目录属于连接。',
  domain: '1. 验证域名',
  domainText: '用一条 DNS 记录证明邮箱地址中 @ 之后的域名属于您。',
  done: '已完成：',
  guides: '指南：',
  hasDirectory: '已有目录（SCIM）',
  hint: '在连接启用之前，任何人的登录方式都不会改变。',
  only: '4. 以后：仅限连接（可选）',
  onlyText: '一切正常后，您可以为您的人员关闭密码和通行密钥登录。',
  open: '待办：',
  title: '设置顺序',
  toTenants: '打开租户列表',
}
