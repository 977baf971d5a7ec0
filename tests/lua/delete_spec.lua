-- Deleting a chat or a project: what is asked, what is sent, and what becomes of the buffers.
local Child = require('support.child')

describe('deleting', function()
  local child

  before_each(function()
    child = Child.start()
    child:lua('vim.fn.confirm = function(text, choices) _G.asked = { text, choices } return _G.answer or 1 end')
  end)

  after_each(function()
    child:stop()
  end)

  local function open_chat()
    child:cmd('SelfMind chat')
    child:wait('the chat', "return vim.bo.filetype == 'selfmind'")
    return child:lua([[
      local shown = require('selfmind.chat.conversations').in_buffer(vim.api.nvim_get_current_buf())
      return { shown.id, shown.bufnr }
    ]])
  end

  it('a chat shows what was learned there and asks whether that goes as well', function()
    local id = open_chat()[1]
    child:cmd('SelfMind delete chat ' .. id)
    local asked = child:wait('the question', 'return _G.asked')
    assert.equals(
      'Delete chat ' .. id .. ', "a title", for good, with 4 messages and replies?\n'
        .. 'This was learned there, or belongs to it:\n   12  The user has 3 cats.',
      asked[1]
    )
    assert.equals('&Keep them\n&Forget them, too\n&Cancel', asked[2])
    child:wait_message('deleted 1 chat, 4 messages and replies, and forgot 0 memories; 1 kept')
    child:wait_message('The backup /tmp/b still has the words')
    assert.same({
      { chat = id, dry_run = true },
      { chat = id, memories = false },
    }, vim.tbl_map(function(call)
      return call.params
    end, child:seen('chat.forget')))
  end)

  it('a chat takes what was learned along when that is wanted, also out of the command history', function()
    local id = open_chat()[1]
    child:lua('_G.answer = 2')
    child:type(':echo "The user has 3 cats."<CR>:echo 1<CR>')
    child:cmd('SelfMind delete chat ' .. id)
    child:wait_message('forgot 1 memories; 0 kept')
    assert.is_true(child:seen('chat.forget')[2].params.memories)
    assert.is_nil(child:lua('return vim.fn.execute("history cmd")'):find('cats', 1, true))
  end)

  it('nothing when the user thinks better of it', function()
    child:lua('_G.answer = 3')
    child:cmd('SelfMind delete project')
    child:wait('the question', 'return _G.asked')
    assert.equals(1, #child:seen('project.forget'))
  end)

  it('the chat in this window, whose buffer goes with what was typed in it', function()
    local chat = open_chat()
    child:type('GAa draft<Esc>')
    child:cmd('SelfMind delete chat')
    child:wait('the buffer to go', 'return not vim.api.nvim_buf_is_valid(...)', chat[2])
    child:settle()
    assert.equals(chat[1], child:seen('chat.forget')[2].params.chat)
    assert.same({}, child:seen('chat.draft'))
    assert.is_true(child:lua("return require('selfmind.chat.conversations').of(...) == nil", chat[1]))
  end)

  it('a project takes every chat of it out of the editor', function()
    local chat = open_chat()
    child:cmd('SelfMind delete project')
    local asked = child:wait('the question', 'return _G.asked')
    assert.truthy(asked[1]:find('Delete all 2 chats of the project "the project" for good', 1, true))
    child:wait('the buffer to go', 'return not vim.api.nvim_buf_is_valid(...)', chat[2])
  end)

  it('nothing when it is not said what', function()
    for _, args in ipairs({ '', ' everything', ' chat', ' project 3' }) do
      child:cmd('SelfMind delete' .. args)
    end
    child:wait_message('delete what: chat ID')
    assert.equals(0, #child:seen('chat.forget') + #child:seen('project.forget'))
  end)

  it('is completed', function()
    assert.same({ 'chat', 'project' }, child:lua('return vim.fn.getcompletion("SelfMind delete ", "cmdline")'))
  end)
end)
