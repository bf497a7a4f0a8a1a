import type { en } from '../en.ts'

export const support: (typeof en)['support'] = {
  about: '以用户身份工作几分钟，查看其所见的内容。每次会话都会被记录。',
  actor: '请求人',
  allStatuses: '全部',
  allow: '允许',
  allowed: '已允许支持会话。',
  allowedBy: '允许者',
  ask: '发送请求',
  askText:
    '您将看到该用户所见的内容。除非组织另有规定，须由该用户或有权允许支持的人同意。您的所有操作都以您的名义记录。',
  askTitle: '以 {{name}} 的身份工作',
  asked: '请求时间',
  continue: '继续',
  count: '次数',
  decidedBy: '决定者',
  end: '结束',
  endText: '会话将立即结束。',
  endTextMine: '您可以再次请求。',
  endTitle: '结束支持会话？',
  ended: '结束原因',
  endedHere: '支持会话已结束',
  endedHereText: '此标签页已回到您自己的会话。',
  ends: '结束时间',
  expires: '请求过期时间',
  isAsked: '已请求以 {{name}} 的身份工作。',
  isOver: '支持会话已结束。',
  isReady: '您现在可以以 {{name}} 的身份工作。',
  kind: '类型',
  less: '收起',
  list: '支持会话',
  method: '方法',
  mine: '您的',
  minutes: '分钟',
  minutesHint: '5 至 60 分钟，自开始时计算，不能延长。',
  minutesLong_one: '{{count}} 分钟',
  minutesLong_other: '{{count}} 分钟',
  minutesWrong: '请填写 5 至 60 分钟。',
  more: '显示全部',
  mostFrequent: '仅显示最常用的 {{count}} 项。',
  noPermissions: '仅限该用户的个人资料',
  noRequests: '此会话没有打开任何内容。',
  none: '还没有支持会话',
  noneAsked: '有人请求以用户身份工作时，请求会显示在这里。',
  noneFound: '没有此状态的支持会话',
  noneText: '打开一个用户并点击“支持”，即可提出请求。',
  ofTenant: '此组织',
  openProduct: '打开 {{name}}',
  overview: '概览',
  path: '路径',
  permissions: '权限',
  reason: '原因',
  reasonHint: '用户会看到。',
  refuse: '拒绝',
  refused: '已拒绝支持会话。',
  refusedBy: '拒绝者',
  requests: '请求',
  rules: '支持设置',
  staff: '{{name}}（平台人员）',
  start: '开始',
  time: '时长',
  title: '{{actor}} 以 {{user}} 的身份工作',
  toUsers: '打开用户列表',
  user: '用户',
  wantsAsMe: '{{actor}} 希望以您的身份工作',
  wantsAsOther: '{{actor}} 希望以 {{user}} 的身份工作',
  wantsMine: '您希望以 {{user}} 的身份工作',
  worksAsMe: '{{actor}} 正以您的身份工作',
  worksAsOther: '{{actor}} 正以 {{user}} 的身份工作',
  worksMine: '您正以 {{user}} 的身份工作',
  withdraw: '撤回请求',
  withdrawTitle: '撤回请求？',
  withdrawn: '请求已撤回。',
}

export const supportEnds: (typeof en)['supportEnds'] = {
  time: '时间已到。',
  actor: '请求人已结束会话。',
  user: '用户已结束会话。',
  tenant: '有权允许支持的人已结束会话。',
  authority: '会话已不再被允许。',
}

export const supportKinds = { view: '查看', act: '操作' }

export const supportKindTexts = {
  view: '您只能查看。',
  act: '您还可以使用产品，并更改其设置。',
}

export const supportStatuses = {
  waiting: '等待中',
  ready: '就绪',
  active: '进行中',
  over: '已结束',
  refused: '已拒绝',
  expired: '已过期',
}

export const supportFrame: (typeof en)['supportFrame'] = {
  act: '您可以查看和操作。',
  end: '结束',
  left_one: '剩余 {{count}} 分钟',
  left_other: '剩余 {{count}} 分钟',
  view: '您只能查看。',
  worksAs: '您正以 {{user}} 的身份工作。',
}

export const supportRules: (typeof en)['supportRules'] = {
  access: '平台人员',
  allowed: '无需询问即可开始',
  ask: '先询问',
  colleagues: '拥有权限的同事',
  hint: '他人可在几分钟内以用户身份工作。每次会话都会被记录。',
  needs: '只有此组织中有权允许支持的用户才能更改。',
  notice: '询问并通知用户',
  noticeHint: '关闭后，只询问有权允许支持的人。',
  off: '不允许',
  title: '支持访问',
}

export const supportEntrance: (typeof en)['supportEntrance'] = {
  hint: '产品随后显示该用户所见的内容，直到支持会话结束。',
  open: '打开产品',
  text: '以 {{user}} 的身份打开 {{application}}？',
  title: '以用户身份打开产品',
}
