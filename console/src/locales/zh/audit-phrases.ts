import type { en } from '../en.ts'

export const auditPhrases: (typeof en)['auditPhrases'] = {
  factor: {
    add: '添加了第二验证方式 {name}',
    begin: '开始添加身份验证器 {name}',
    remove: '移除了第二验证方式 {name}',
    reset: '移除了 {username} 的第二验证方式',
  },
  invitation: {
    create: '邀请了 {email}',
    resend: '重新发送了 {email} 的邀请',
    revoke: '撤销了 {email} 的邀请',
  },
  broadcast: { create: '开始群发 {title}', send: '群发了一批 {title}' },
  mail_text: {
    create: '编写了邮件文本 {name}',
    delete: '移除了邮件文本 {name}',
    update: '更改了邮件文本 {name}',
  },
  notification: {
    create: '将 {title} 发送给 {username}',
    delete: '删除了发送给 {username} 的 {title}',
  },
  permission: {
    create: '创建了权限 {code}',
    delete: '删除了权限 {code}',
    update: '更改了权限 {code}',
  },
  application: {
    code_reused: '重复使用了应用 {application} 的授权码，其会话已结束',
    create: '创建了应用 {name}',
    delete: '删除了应用 {name}',
    register: '以 {name} 之名自行注册',
    secret_create: '添加了应用 {name} 的密钥',
    secret_revoke: '撤销了应用 {name} 的密钥',
    update: '更改了应用 {name}',
  },
  resource: {
    create: '创建了资源 {name}',
    delete: '删除了资源 {name}',
    update: '更改了资源 {name}',
  },
  flag: {
    create: '创建了开关 {key}',
    delete: '删除了开关 {key}',
    override: '为 {tenant} 设置了开关 {key} 的变体',
    override_remove: '移除了 {tenant} 的开关 {key} 变体',
    update: '更改了开关 {key}',
  },
  grant: {
    create: '授权了应用 {application}',
    revoke: '撤销了对应用 {application} 的授权',
  },
  role: {
    assign: '将 {role} 分配给 {username}',
    create: '创建了角色 {name}',
    delete: '删除了角色 {name}',
    replace_permissions: '更改了 {name} 的权限',
    unassign: '移除了 {username} 的 {role}',
    update: '更改了角色 {name}',
  },
  role_template: {
    create: '创建了角色模板 {name}',
    delete: '删除了角色模板 {name}',
    update: '更改了角色模板 {name}',
  },
  service_account: {
    create: '创建了服务账号 {name}',
    delete: '删除了服务账号 {name}',
    update: '更改了服务账号 {name}',
  },
  service_account_key: {
    create: '创建了 {account} 的访问密钥 {name}',
    delete: '撤销了 {account} 的访问密钥 {name}',
  },
  setting: {
    create: '创建了设置 {key}',
    delete: '删除了设置 {key}',
    lock: '锁定了设置 {key}',
    revert: '重新写入了设置 {key} 的历史值',
    secret_read: '读取了机密设置 {key}',
    unlock: '解锁了设置 {key}',
    update: '更改了设置 {key}',
  },
  setting_definition: {
    delete: '删除了设置 {key} 的声明',
    update: '声明了设置 {key}',
  },
  tenant: {
    create: '创建了租户 {name}',
    delete: '删除了租户 {name}',
    update: '更改了租户 {name}',
  },
  user: {
    create: '创建了用户 {username}',
    delete: '删除了用户 {username}',
    export: '导出了 {username} 的数据',
    password_reset: '向 {username} 发送了重置密码的链接',
    sessions_end: '让 {username} 在所有设备上退出登录',
    update: '更改了用户 {username}',
  },
  webhook: {
    create: '创建了发往 {url} 的 Webhook',
    delete: '删除了发往 {url} 的 Webhook',
    disable: '停用了发往 {url} 的失败的 Webhook',
    replay: '重放了发往 {url} 的 Webhook 的事件',
    resend: '重新发送了发往 {url} 的 Webhook 的事件',
    rotate_secret: '更换了发往 {url} 的 Webhook 的密钥',
    update: '更改了发往 {url} 的 Webhook',
    verify: '验证了发往 {url} 的 Webhook 的地址',
  },
}
