import type { en } from '../en.ts'

export const ssoOutcomes: (typeof en)['ssoOutcomes'] = {
  proof: '待证明',
  refused: '已拒绝',
  signed_in: '已登录',
  test_failed: '测试未通过',
  test_passed: '测试通过',
}

export const ssoReasons: (typeof en)['ssoReasons'] = {
  address_missing: '提供方没有发送邮箱地址。请让其发送，并检查邮箱所在声明或属性的名称。',
  address_outside:
    '该地址不属于转到此连接的已验证域名。因此该人员无法登录。如果是您的域名，请先验证，再在“登录人员”中选择它。',
  answer_invalid: '提供方的返回不属于此次登录。请在同一个标签页中重新开始。',
  assertions: '响应中没有断言，或有多个断言。请让提供方只发送一个。',
  audience: '该响应是发给其他服务的。请在提供方将受众填写为我方的实体 ID，完全一致。',
  client_refused:
    '提供方拒绝了此连接的客户端。请检查客户端 ID 和密钥（可能已过期），以及该应用是否允许此登录方式。',
  condition: '响应含有无法理解的条件。请在提供方移除附加条件。',
  confirmation: '响应没有按 SAML 的要求确认持有者。请在提供方使用 Web 浏览器单点登录配置。',
  connection_inactive: '连接已被停用。请测试后重新启用。',
  created: '此前没有人使用该地址：已创建用户。',
  destination: '响应发送到了其他地址。请在提供方填写我方的回复地址，完全一致。',
  encrypted: '断言已加密。请在提供方关闭断言加密：https 已提供保护。',
  expired: '响应已过期，或本人用时过长。请检查提供方的时钟，然后重新开始。',
  factor_missing: '此处要求两步验证，而该账户尚未启用。请让本人启用，或信任提供方的验证。',
  hosted_domain: '此 Google 账户不在您组织的 Workspace 域中。请使用您的工作账户登录。',
  in_response_to: '响应不对应任何进行中的登录：它已被使用、过旧，或从提供方开始。请重新开始。',
  issuer: '响应来自与此连接不同的提供方。请检查元数据是否正确。',
  known: '此连接已认识该人员。',
  limit_reached: '组织的用户数已达上限。请停用一个用户，或申请提高上限。',
  linked: '使用该地址的用户已与提供方关联。',
  malformed: '无法读取响应。它必须是普通的 SAML 2.0，不含注释和 DOCTYPE。',
  nobody_known: '此处没有人使用该地址，且不创建新用户。请邀请此人，或开启创建用户。',
  not_pushed: '目录没有推送此人，或已将其移除。请在提供方将此人分配给该应用。',
  other_subject: '使用该地址的用户已关联到提供方的另一个账户。如果该地址已转给他人，请先取消该用户的关联。',
  proved: '本人已证明使用该地址的账户，并已关联。',
  provider_refused: '提供方没有让此人登录，或此人已放弃。请在提供方检查此人是否可以使用该应用。',
  provider_unreachable: '提供方没有及时响应。请重试；如果仍然如此，请检查从此处能否访问其地址。',
  recipient: '断言是发给其他地址的。请在提供方将接收方填写为我方的回复地址，完全一致。',
  signature_algorithm: '响应的签名方式强度不足。请在提供方选择 RSA 与 SHA-256，以及至少 2,048 位的密钥。',
  signature_form: '签名的形式不被接受。请让提供方以排他规范化方式对整个响应或断言签名。',
  signature_invalid: '此连接的证书均与签名不符。如果提供方更换了证书，请重新提交其元数据。',
  status: '提供方报告没有让此人登录。原因见其自身的日志。',
  subject: '响应没有主体标识。请检查此连接所用属性的名称。',
  subject_missing: '提供方没有发送主体标识。请检查此连接使用哪个声明；使用 oid 时应用需要范围 profile。',
  tenant_disabled: '该组织已停用。请联系运维人员。',
  token_invalid: '提供方的令牌未被接受：签名、客户端或时间不符。请检查客户端 ID、颁发者以及提供方的时钟。',
  too_early: '响应尚未生效。请校准提供方的时钟。',
  transient: '提供方每次发送不同的人员名称。请选择持久的名称标识符。',
  unsigned: '响应和断言均未签名。请在提供方开启签名。',
  user_disabled: '该用户在此处已停用。请启用该用户；如果是目录停用的，也请在目录中启用。',
  userinfo_invalid: '提供方返回的人员信息属于他人，或无法读取。请重新开始。',
}

export const ssoTestReasons: (typeof en)['ssoTestReasons'] = {
  answered: '提供商的响应符合要求，邮箱地址属于您的域名。',
  created: '没有人使用该地址：将创建用户。',
  known: '此人已关联，将直接登录。',
  linked: '使用该地址的用户将被关联并登录。',
  proved: '已有账户使用该地址。本人将先通过密码或邮件链接证明账户归属，然后被关联。',
}
