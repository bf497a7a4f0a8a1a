import type { en } from '../en.ts'

export const signIn: (typeof en)['signIn'] = {
  ended: '您的会话已结束。请重新登录以继续。',
  haveAccount: '已有账户？',
  noAccount: '还没有账户？',
  register: '创建账户',
  registerSubmit: '创建账户',
  submit: '登录',
  title: '登录',
}
