import type { en } from '../en.ts'

export const signIn: (typeof en)['signIn'] = {
  accept: '接受邀请',
  confirmEmail: '请确认邮箱',
  closed: '注册已关闭',
  closedHint: '请联系您组织的管理员为您创建账户，然后登录。',
  deleted: '您的账户已删除。',
  ended: '您的会话已结束。请重新登录以继续。',
  first: '创建首位管理员',
  firstHint: '此处尚无任何账户。首个账户将成为平台管理员，可管理所有租户、用户、角色和设置。',
  firstSubmit: '创建管理员',
  haveAccount: '已有账户？',
  noAccount: '还没有账户？',
  register: '创建账户',
  registerSubmit: '创建账户',
  submit: '登录',
  title: '登录',
  forgot: '忘记密码？',
  reset: '设置新密码',
  verify: '确认您的邮箱',
  secondFactor: '添加第二验证方式',
}
