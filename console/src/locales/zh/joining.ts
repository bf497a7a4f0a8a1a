import type { en } from '../en.ts'

export const joining: (typeof en)['joining'] = {
  dead: '链接已被使用、已被替换或撤回、已超过 7 天，或未完整复制。请申请新的邀请。如果您已加入，请直接登录。',
  invites: '{{tenant}} 邀请您加入。',
  joined: '您已加入 {{tenant}}。请重新登录以继续。',
  new: '请设置您的用户名和密码。',
  otherSession: '此邀请属于 {{invited}}，而您当前以 {{own}} 登录。请退出登录，再以受邀邮箱接受邀请。',
  owner: '此邮箱已有账户，但尚无人证明其归属。请设置新密码。旧密码及该账户的所有会话都将失效。',
  password: '您已有使用此邮箱的账户。请设置您在此租户中的用户名，并输入密码。',
  session: '您已使用此邮箱登录。请设置您在此租户中的用户名。',
  signOutAndGoOn: '退出登录并继续',
  staySignedIn: '保持登录',
  submit: '接受邀请',
}
