// The tables, version by version. A step that has been released is never edited; a change is a new step.
#pragma once

namespace selfmind::store {

// Times are milliseconds since 1970, UTC. AUTOINCREMENT: a number that people have seen is never given to another row.
inline constexpr const char* schema_1 = R"sql(
CREATE TABLE project (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- What a project is found by; each key belongs to one project.
CREATE TABLE project_key (
  kind TEXT NOT NULL CHECK (kind IN ('remote', 'path')),
  value TEXT NOT NULL CHECK (value <> ''),
  project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX project_key_by_project ON project_key (project);

CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  project INTEGER REFERENCES project,
  title TEXT NOT NULL DEFAULT '',
  draft TEXT NOT NULL DEFAULT '',
  history_from INTEGER NOT NULL DEFAULT 0,
  thinking_from INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_by_project ON session (project, updated_at);

CREATE TABLE turn (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
  parent INTEGER REFERENCES turn,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  state TEXT NOT NULL CHECK (
    (role = 'user' AND state IN ('unanswered', 'answered')) OR
    (role = 'assistant' AND state IN ('streaming', 'done', 'stopped', 'interrupted', 'refused', 'offline'))),
  text TEXT NOT NULL,
  content TEXT NOT NULL DEFAULT '',
  memory_block TEXT NOT NULL DEFAULT '',
  model TEXT NOT NULL DEFAULT '',
  stop_reason TEXT NOT NULL DEFAULT '',
  failure TEXT NOT NULL DEFAULT '',
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cache_read_tokens INTEGER NOT NULL DEFAULT 0,
  cache_write_tokens INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX turn_by_session ON turn (session);
CREATE INDEX turn_by_parent ON turn (parent);

CREATE TABLE memory (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL CHECK (text <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('fact', 'preference', 'correction', 'context')),
  scene TEXT NOT NULL DEFAULT '',
  track TEXT NOT NULL DEFAULT '' CHECK (track IN ('', 'autobiographical', 'epistemic')),
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'archived', 'superseded', 'quarantined')),
  origin TEXT NOT NULL CHECK (origin IN ('user', 'assistant', 'file', 'tool', 'import')),
  made_by TEXT NOT NULL CHECK (made_by IN ('remember', 'learn')),
  project INTEGER REFERENCES project,
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_by_project ON memory (project);

CREATE TABLE memory_source (
  memory INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
  turn INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE,
  quote TEXT NOT NULL
) STRICT;
CREATE INDEX memory_source_by_memory ON memory_source (memory);
CREATE INDEX memory_source_by_turn ON memory_source (turn);

CREATE TABLE recall (
  turn INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE,
  memory INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  score REAL NOT NULL,
  PRIMARY KEY (turn, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX recall_by_memory ON recall (memory);

CREATE TABLE learn_queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  turn INTEGER NOT NULL UNIQUE REFERENCES turn ON DELETE CASCADE,
  endpoint TEXT NOT NULL,
  model TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  lease TEXT NOT NULL DEFAULT '',
  lease_until INTEGER NOT NULL DEFAULT 0,
  failure TEXT NOT NULL DEFAULT '',
  parked INTEGER NOT NULL DEFAULT 0 CHECK (parked IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

-- That a turn was cut, and why. Open only inside the transaction that cuts it.
CREATE TABLE redaction (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  turn INTEGER NOT NULL REFERENCES turn ON DELETE CASCADE,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  open INTEGER NOT NULL CHECK (open IN (0, 1))
) STRICT;
CREATE INDEX redaction_by_turn ON redaction (turn);

-- The newest change of each item; a removed item keeps its row here.
CREATE TABLE change (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('memory', 'turn')),
  item INTEGER NOT NULL
) STRICT;
CREATE INDEX change_by_item ON change (kind, item);

CREATE TRIGGER memory_inserted AFTER INSERT ON memory BEGIN
  DELETE FROM change WHERE kind = 'memory' AND item = new.id;
  INSERT INTO change (kind, item) VALUES ('memory', new.id);
END;
CREATE TRIGGER memory_updated AFTER UPDATE ON memory BEGIN
  DELETE FROM change WHERE kind = 'memory' AND item = new.id;
  INSERT INTO change (kind, item) VALUES ('memory', new.id);
END;
CREATE TRIGGER memory_deleted AFTER DELETE ON memory BEGIN
  DELETE FROM change WHERE kind = 'memory' AND item = old.id;
  INSERT INTO change (kind, item) VALUES ('memory', old.id);
END;
CREATE TRIGGER memory_source_inserted AFTER INSERT ON memory_source BEGIN
  DELETE FROM change WHERE kind = 'memory' AND item = new.memory;
  INSERT INTO change (kind, item) VALUES ('memory', new.memory);
END;
CREATE TRIGGER turn_inserted AFTER INSERT ON turn BEGIN
  DELETE FROM change WHERE kind = 'turn' AND item = new.id;
  INSERT INTO change (kind, item) VALUES ('turn', new.id);
END;
CREATE TRIGGER turn_updated AFTER UPDATE ON turn BEGIN
  DELETE FROM change WHERE kind = 'turn' AND item = new.id;
  INSERT INTO change (kind, item) VALUES ('turn', new.id);
END;
CREATE TRIGGER turn_deleted AFTER DELETE ON turn BEGIN
  DELETE FROM change WHERE kind = 'turn' AND item = old.id;
  INSERT INTO change (kind, item) VALUES ('turn', old.id);
END;

CREATE TRIGGER turn_frozen_update BEFORE UPDATE ON turn
WHEN old.state NOT IN ('unanswered', 'streaming')
  AND old.created_at / 86400000 < unixepoch() / 86400
  AND NOT EXISTS (SELECT 1 FROM redaction WHERE turn = old.id AND open = 1)
BEGIN
  SELECT RAISE(ABORT, 'The log of a day that is over is not changed; what must go is forgotten.');
END;
CREATE TRIGGER turn_frozen_delete BEFORE DELETE ON turn
WHEN old.state NOT IN ('unanswered', 'streaming')
  AND old.created_at / 86400000 < unixepoch() / 86400
  AND NOT EXISTS (SELECT 1 FROM redaction WHERE turn = old.id AND open = 1)
BEGIN
  SELECT RAISE(ABORT, 'The log of a day that is over is not changed; what must go is forgotten.');
END;
)sql";

// Whose reply a row in state streaming is, and how long its silence means nothing.
inline constexpr const char* schema_2 = R"sql(
ALTER TABLE turn ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE turn ADD COLUMN owner_until INTEGER NOT NULL DEFAULT 0;
-- Each turn looks for replies that nobody writes any more; without this it would read every row of the chat.
CREATE INDEX turn_streaming ON turn (session) WHERE state = 'streaming';
)sql";

// The user's own probes: a question, and what recall should find for it. No trigger writes of them into `change`: they
// are never part of what is searched.
inline constexpr const char* schema_3 = R"sql(
CREATE TABLE probe (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  project INTEGER REFERENCES project,
  query TEXT NOT NULL CHECK (query <> ''),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX probe_by_project ON probe (project);

-- A memory or a turn each; a probe without a row here asks that nothing is found.
CREATE TABLE probe_expect (
  probe INTEGER NOT NULL REFERENCES probe ON DELETE CASCADE,
  memory INTEGER REFERENCES memory ON DELETE CASCADE,
  turn INTEGER REFERENCES turn ON DELETE CASCADE,
  CHECK ((memory IS NULL) <> (turn IS NULL))
) STRICT;
CREATE INDEX probe_expect_by_probe ON probe_expect (probe);
CREATE INDEX probe_expect_by_memory ON probe_expect (memory);
CREATE INDEX probe_expect_by_turn ON probe_expect (turn);

-- Whose last one is gone would else ask that nothing is found.
CREATE TRIGGER probe_expect_deleted AFTER DELETE ON probe_expect
WHEN NOT EXISTS (SELECT 1 FROM probe_expect WHERE probe = old.probe)
BEGIN
  DELETE FROM probe WHERE id = old.probe;
END;
)sql";

// More kinds, and what became of each memory: a change is one verb of somebody's, a revision what a memory was after
// it. A CHECK cannot be altered, so the table is made anew (migrations.cpp switches foreign keys off meanwhile).
inline constexpr const char* schema_4 = R"sql(
CREATE TABLE memory_new (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL CHECK (text <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('fact', 'preference', 'correction', 'context', 'plan', 'decision', 'task', 'risk',
                                     'lesson', 'incident', 'identity')),
  scene TEXT NOT NULL DEFAULT '',
  track TEXT NOT NULL DEFAULT '' CHECK (track IN ('', 'autobiographical', 'epistemic')),
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'archived', 'superseded', 'quarantined')),
  origin TEXT NOT NULL CHECK (origin IN ('user', 'assistant', 'file', 'tool', 'import')),
  made_by TEXT NOT NULL CHECK (made_by IN ('remember', 'learn', 'rules')),
  project INTEGER REFERENCES project,
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
INSERT INTO memory_new (id, uuid, text, kind, scene, track, state, origin, made_by, project, revision, created_at,
                        updated_at)
  SELECT id, uuid, text, kind, scene, track, state, origin, made_by, project, revision, created_at, updated_at
  FROM memory;
-- A number that people have seen is never given to another row, also when that row is gone.
INSERT INTO sqlite_sequence (name, seq) SELECT 'memory_new', 0
  WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'memory_new');
UPDATE sqlite_sequence SET seq = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory'), 0)
  WHERE name = 'memory_new';
DROP TABLE memory;
ALTER TABLE memory_new RENAME TO memory;
CREATE INDEX memory_by_project ON memory (project);
CREATE TRIGGER memory_inserted AFTER INSERT ON memory BEGIN
  DELETE FROM change WHERE kind = 'memory' AND item = new.id;
  INSERT INTO change (kind, item) VALUES ('memory', new.id);
END;
CREATE TRIGGER memory_updated AFTER UPDATE ON memory BEGIN
  DELETE FROM change WHERE kind = 'memory' AND item = new.id;
  INSERT INTO change (kind, item) VALUES ('memory', new.id);
END;
CREATE TRIGGER memory_deleted AFTER DELETE ON memory BEGIN
  DELETE FROM change WHERE kind = 'memory' AND item = old.id;
  INSERT INTO change (kind, item) VALUES ('memory', old.id);
END;

CREATE TABLE memory_change (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  verb TEXT NOT NULL,
  made_by TEXT NOT NULL CHECK (made_by IN ('user', 'learn', 'rules')),
  turn INTEGER REFERENCES turn ON DELETE SET NULL,       -- that was learned from
  session INTEGER REFERENCES session ON DELETE SET NULL,
  undone_by INTEGER REFERENCES memory_change,            -- the change that took this one back
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_change_by_turn ON memory_change (turn);
CREATE INDEX memory_change_by_session ON memory_change (session);

CREATE TABLE memory_revision (
  memory INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  change INTEGER NOT NULL REFERENCES memory_change,
  text TEXT NOT NULL,
  kind TEXT NOT NULL,
  scene TEXT NOT NULL,
  track TEXT NOT NULL,
  state TEXT NOT NULL,
  project INTEGER REFERENCES project,
  PRIMARY KEY (memory, revision)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_revision_by_change ON memory_revision (change);

-- So far memories were only added.
INSERT INTO memory_change (id, verb, made_by, turn, session, at)
  SELECT memory.id, 'add', iif(made_by = 'remember', 'user', 'learn'), source.turn, said.session, memory.created_at
  FROM memory LEFT JOIN memory_source AS source ON source.rowid =
    (SELECT min(rowid) FROM memory_source WHERE memory_source.memory = memory.id AND memory.made_by = 'learn')
  LEFT JOIN turn AS said ON said.id = source.turn;
INSERT INTO memory_revision (memory, revision, change, text, kind, scene, track, state, project)
  SELECT id, revision, id, text, kind, scene, track, state, project FROM memory;

-- What a message said that is superseded is not recalled from it either, and is again when that is taken back.
CREATE INDEX memory_superseded ON memory (id) WHERE state = 'superseded';
CREATE TRIGGER memory_state_changed AFTER UPDATE OF state ON memory
WHEN old.state <> new.state AND 'superseded' IN (old.state, new.state)
BEGIN
  DELETE FROM change WHERE kind = 'turn' AND item IN (SELECT turn.id FROM memory_source JOIN turn
    ON turn.id = memory_source.turn OR (turn.parent = memory_source.turn AND turn.role = 'assistant')
    WHERE memory_source.memory = new.id);
  INSERT INTO change (kind, item) SELECT DISTINCT 'turn', turn.id FROM memory_source JOIN turn
    ON turn.id = memory_source.turn OR (turn.parent = memory_source.turn AND turn.role = 'assistant')
    WHERE memory_source.memory = new.id;
END;

-- Kept also when the change is taken back: whether a memory is superseded its state says.
CREATE TABLE relation (
  from_memory INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('supersedes', 'contradicts')),
  to_memory INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
  change INTEGER NOT NULL REFERENCES memory_change,
  PRIMARY KEY (from_memory, kind, to_memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX relation_to ON relation (to_memory, kind);
CREATE INDEX relation_by_change ON relation (change);

-- What the memory model proposes from this turn waits for the user.
ALTER TABLE learn_queue ADD COLUMN review INTEGER NOT NULL DEFAULT 0 CHECK (review IN (0, 1));

-- What was learned from these turns was taken back; nothing is learned from them again.
CREATE TABLE unlearned (
  turn INTEGER PRIMARY KEY REFERENCES turn ON DELETE CASCADE,
  at INTEGER NOT NULL
) STRICT;
)sql";

// What the memory model says of a memory beside its text; what was forgotten, so that it is not learned again; what
// learning costs. A change may now be made by the store's own upkeep; a CHECK cannot be altered, so that table is made
// anew.
inline constexpr const char* schema_5 = R"sql(
ALTER TABLE memory ADD COLUMN reason TEXT NOT NULL DEFAULT '';  -- a decision's "because", in the user's words
-- 0 to 1; NULL: nobody has said.
ALTER TABLE memory ADD COLUMN utility REAL;
ALTER TABLE memory ADD COLUMN durability REAL;
ALTER TABLE memory ADD COLUMN urgency REAL;
ALTER TABLE memory ADD COLUMN identity REAL;
ALTER TABLE memory ADD COLUMN confidence REAL;
ALTER TABLE memory ADD COLUMN sensitivity REAL;
-- The first and the last moment at which it holds; NULL: no end known.
ALTER TABLE memory ADD COLUMN valid_from INTEGER;
ALTER TABLE memory ADD COLUMN valid_to INTEGER;
CREATE INDEX memory_ends ON memory (valid_to) WHERE state = 'active' AND valid_to IS NOT NULL;

CREATE TABLE memory_change_new (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  verb TEXT NOT NULL,
  made_by TEXT NOT NULL CHECK (made_by IN ('user', 'learn', 'rules', 'upkeep')),
  turn INTEGER REFERENCES turn ON DELETE SET NULL,
  session INTEGER REFERENCES session ON DELETE SET NULL,
  undone_by INTEGER REFERENCES memory_change,
  at INTEGER NOT NULL
) STRICT;
INSERT INTO memory_change_new SELECT id, iif(verb = 'restore', 'unarchive', verb), made_by, turn, session,
                                      undone_by, at FROM memory_change;
INSERT INTO sqlite_sequence (name, seq) SELECT 'memory_change_new', 0
  WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'memory_change_new');
UPDATE sqlite_sequence SET seq = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_change'), 0)
  WHERE name = 'memory_change_new';
DROP TABLE memory_change;
ALTER TABLE memory_change_new RENAME TO memory_change;
CREATE INDEX memory_change_by_turn ON memory_change (turn);
CREATE INDEX memory_change_by_session ON memory_change (session);

ALTER TABLE memory_revision ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE memory_revision ADD COLUMN valid_from INTEGER;
ALTER TABLE memory_revision ADD COLUMN valid_to INTEGER;

-- A memory that was forgotten: nothing older than `at` that says the same is learned or brought back. Its words are not
-- here, only keyed hashes of their stems (store/tombstones.h); none where only the id is known.
CREATE TABLE tombstone (
  uuid TEXT PRIMARY KEY,
  words BLOB NOT NULL,
  analysis INTEGER NOT NULL,  -- the version of the text analysis that made them
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Tokens spent on learning, by the user's own day.
CREATE TABLE learning_usage (
  day TEXT NOT NULL,  -- YYYY-MM-DD
  model TEXT NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cache_read_tokens INTEGER NOT NULL DEFAULT 0,
  cache_write_tokens INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, model)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace selfmind::store
